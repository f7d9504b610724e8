"""A service manager's socket: starts a program with NOTIFY_SOCKET, and prints each datagram as a line, with its newlines as blanks.

notify_socket.py SOCKET WATCHDOG_MICROSECONDS PROGRAM ARGUMENT...
SOCKET begins with @ for a name that is no file. SIGHUP and SIGTERM are passed on.
"""

import os
import signal
import socket
import subprocess
import sys
import threading

name, watchdog, command = sys.argv[1], sys.argv[2], sys.argv[3:]
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind("\0" + name[1:] if name.startswith("@") else name)


def listen():
    while True:
        text = listener.recv(4096).decode()
        if text == "end":
            return
        print("told " + " ".join(text.split("\n")), flush=True)


thread = threading.Thread(target=listen)
thread.start()
child = subprocess.Popen(
    command,
    env={**os.environ, "NOTIFY_SOCKET": name, "WATCHDOG_USEC": watchdog},
    stdout=subprocess.DEVNULL,
)
for number in (signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, lambda number, frame: child.send_signal(number))
status = child.wait()
socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"end", listener.getsockname())
thread.join()
print(f"ended {status}", flush=True)
sys.exit(0 if status == 0 else 1)
