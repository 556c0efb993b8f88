"""Moto's server of S3: `python s3_server.py PORT`."""

import sys
from http.server import BaseHTTPRequestHandler

from moto.server import main

# Werkzeug says it as well, and a client takes the second "100 Continue" for the answer to what it uploads.
BaseHTTPRequestHandler.handle_expect_100 = lambda _: True

if __name__ == "__main__":
    main(["-H", "127.0.0.1", "-p", sys.argv[1]])
