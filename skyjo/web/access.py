"""Where the server can be reached from: its own machine only, or, with an access token, other machines too."""

import os
import secrets
import socket
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path

from cardtable.checks import brief
from cardtable.errors import TableError
from skyjo.web.table_files import FOR_ME

HERE = "127.0.0.1"
USUAL = 80  # the port that an address need not name
TOKEN = "token"  # what it is called in links
LETTERS = 32  # of a token
FILE = "access-token"
ELSEWHERE = "192.0.2.1"  # an address for examples: asked for the way there, the system tells our own


@dataclass(frozen=True)
class Reach:
    """The names under which a server answers, and what it asks for."""

    port: int
    address: str = HERE  # by which others reach it
    names: frozenset[str] = frozenset({HERE, "localhost"})
    token: str | None = None  # None where nobody but this machine can come

    def answers_to(self, host: str) -> bool:
        """Is this what the server may be called? With a token also by any address, but by no foreign name, which could
        be a trap.
        """
        name, _, port = host.partition(":")
        return (port or str(USUAL)) == str(self.port) and (
            name in self.names or (self.token is not None and _is_address(name))
        )

    def link(self, path: str) -> str:
        """The address of a page, to share."""
        return f"http://{self.address}:{self.port}{path}" + ("" if self.token is None else f"?{TOKEN}={self.token}")


def address_of(host: str) -> IPv4Address:
    """The address to listen at."""
    try:
        return IPv4Address(host)
    except AddressValueError:
        raise TableError(
            f"--host {brief(host)} is not an IPv4 address such as 192.168.1.20, or 0.0.0.0 for all of this machine's"
        ) from None


def reach_of(address: IPv4Address, port: int, folder: Path) -> Reach:
    """Who may come to a server that listens there; its token is kept in the folder, so that links stay valid."""
    if address.is_loopback:
        return Reach(port, str(address), frozenset({str(address), "localhost"}))
    names = {"localhost", socket.gethostname(), f"{socket.gethostname()}.local", socket.getfqdn()}
    return Reach(port, _own_address(address), frozenset(map(str.lower, names)), _kept_token(folder / FILE))


def _own_address(address: IPv4Address) -> str:
    """The address by which others reach a server that listens there."""
    if not address.is_unspecified:
        return str(address)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect((ELSEWHERE, 9))  # sends nothing
        except OSError:
            return HERE
        name: str = sock.getsockname()[0]
        return name


def _kept_token(path: Path) -> str:
    """The token of a folder, made at first."""
    if path.exists():
        token = path.read_bytes().decode("ascii", "replace").strip()
        if len(token) != LETTERS or not (token.isascii() and token.isalnum()):
            raise TableError(f"{path} does not hold a valid access token; delete it to get a new one")
        return token
    token = secrets.token_hex(LETTERS // 2)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FOR_ME), "w") as stream:
        stream.write(f"{token}\n")
    return token


def _is_address(name: str) -> bool:
    try:
        IPv4Address(name)
    except AddressValueError:
        return False
    return True
