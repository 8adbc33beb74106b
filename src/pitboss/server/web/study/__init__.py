"""The lab and the library over HTTP."""
