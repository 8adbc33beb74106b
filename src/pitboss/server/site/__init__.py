"""The pages of a floor for browsers: which there are, and the files of which they are made.

A page is a folder below `files`: `page.json` says where it is found and who sees it in the navigation, `page.js` and
`page.css` are what it is made of, and its texts lie in `texts/en` under the same name. Nothing is built: browsers load
these files as they are. What the pages ask the server lives in `server.web`, not here.
"""
