"""The system calls of Linux that take rights away from a process. Each function returns whether it succeeded."""

import ctypes
import os
import platform
import re
import struct
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

IS_LINUX = sys.platform == "linux"
SIGKILL, SIGXCPU = 9, 24

SET_PARENT_DEATH_SIGNAL, SET_DUMPABLE, SET_NO_NEW_PRIVS = 1, 4, 38  # of prctl
NEW_IPC, NEW_USER, NEW_PID, NEW_NET = 0x08000000, 0x10000000, 0x20000000, 0x40000000  # of unshare
OVER_USERS = (0, 1, 5, 6, 7)  # what it takes to be another user, and to end and clear away what that user has made
CAPABILITY_VERSION = 0x20080522
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # Landlock's numbers on every processor
PATH_BENEATH = 1
KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "ppc64le": 271, "s390x": 280}  # its number by processor
JOIN_SESSION_KEYRING = 1

# What Landlock can allow, as bits by place; later versions of it know more of them.
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = (1 << place for place in (0, 1, 2, 3, 14))
READ = EXECUTE | READ_FILE | READ_DIR
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}  # by version of Landlock: how many rights it knows
NET_SINCE, SCOPES_SINCE = 4, 6
BOTH = 0b11  # to bind and to connect; abstract sockets and signals


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(what: int, value: int) -> bool:
    """Call prctl; True if the kernel did it."""
    return IS_LINUX and _libc().prctl(what, value, 0, 0, 0) == 0


def end_with_parent(signal: int = SIGKILL) -> bool:
    """Get this signal when the parent dies. A change of user takes it back."""
    return _prctl(SET_PARENT_DEATH_SIGNAL, signal)


def conceal() -> bool:
    """Keep other processes of this user from reading the memory and the environment of this one."""
    return _prctl(SET_DUMPABLE, 0)


def reveal() -> bool:
    """Undo `conceal`: after a change of user, namespaces cannot be set up otherwise."""
    return _prctl(SET_DUMPABLE, 1)


def forbid_new_rights() -> bool:
    """Let no program that is started from here on gain rights, such as by its setuid bit."""
    return _prctl(SET_NO_NEW_PRIVS, 1)


def own_keyring() -> bool:
    """Leave the keyring of the login session: whatever is put there is found by all that starts in it later."""
    number = KEYCTL.get(platform.machine())
    return IS_LINUX and number is not None and _libc().syscall(number, JOIN_SESSION_KEYRING, None) >= 0


def drop_capabilities() -> bool:
    """Give up the rights of root."""
    if not IS_LINUX:
        return False
    header, nothing = struct.pack("<Ii", CAPABILITY_VERSION, 0), bytes(24)
    return bool(_libc().capset(header, nothing) == 0)


def may_become(users: range) -> bool:
    """Whether this process may be any of these users. Root may not in some containers: there are fewer users, or it has
    fewer rights.
    """
    own = Path("/proc/self")
    try:
        rights = re.search(r"^CapEff:\s*([0-9a-f]+)$", own.joinpath("status").read_text(), re.MULTILINE)
        can_leave_groups = own.joinpath("setgroups").read_text().strip() == "allow"
        maps = [own.joinpath(name).read_text() for name in ("uid_map", "gid_map")]
    except OSError:
        return False
    has_rights = rights is not None and all(int(rights[1], 16) >> right & 1 for right in OVER_USERS)
    blocks = [[tuple(map(int, line.split())) for line in text.splitlines()] for text in maps]
    has_all = all(any(a <= users.start and users.stop <= a + count for a, _, count in block) for block in blocks)
    return has_rights and can_leave_groups and has_all


def own_namespaces() -> bool:
    """Put the next child into PID, network and IPC namespaces of its own, in which it is alone."""
    return IS_LINUX and _succeeds(_unshare) and _unshare()


def _succeeds(attempt: Callable[[], bool]) -> bool:
    """Whether an attempt that cannot be undone would succeed: a child process makes it first."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if attempt() else 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _unshare() -> bool:
    user, group = os.getuid(), os.getgid()
    if _libc().unshare(NEW_USER | NEW_PID | NEW_NET | NEW_IPC) != 0:
        return False
    own = Path("/proc/self")
    own.joinpath("setgroups").write_text("deny")
    own.joinpath("uid_map").write_text(f"{user} {user} 1")
    own.joinpath("gid_map").write_text(f"{group} {group} 1")
    return True


def landlock_version() -> int:
    """Which version of Landlock the kernel has; 0 without it."""
    return max(0, _libc().syscall(CREATE_RULESET, None, 0, 1)) if IS_LINUX else 0


def restrict_files(readable: Iterable[Path], writable: Iterable[Path]) -> bool:
    """Allow nothing but these files and folders, no TCP, and no signals or abstract sockets to those outside."""
    version = landlock_version()
    if version == 0:
        return False
    known = (1 << max(count for since, count in FILE_RIGHTS.items() if since <= version)) - 1
    attributes = known, BOTH * (version >= NET_SINCE), BOTH * (version >= SCOPES_SINCE)
    size = 8 * (1 + (version >= NET_SINCE) + (version >= SCOPES_SINCE))
    libc, packed = _libc(), struct.pack("<QQQ", *attributes)
    rules = libc.syscall(CREATE_RULESET, packed, ctypes.c_size_t(size), 0)
    if rules < 0:
        return False
    try:
        for rights, paths in ((READ, readable), (known, writable)):
            for path in paths:
                _allow(libc, rules, path, rights & known)
        return bool(libc.syscall(RESTRICT_SELF, rules, 0) == 0)
    finally:
        os.close(rules)


def _allow(libc: Any, rules: int, path: Path, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it does not exist here
        return
    try:
        allowed = rights if path.is_dir() else rights & OF_FILES
        libc.syscall(ADD_RULE, rules, PATH_BENEATH, struct.pack("<Qi", allowed, place), 0)
    finally:
        os.close(place)
