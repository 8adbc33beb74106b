"""The screens of the full-screen table: lobby, table, and the sheets that lie over them."""
