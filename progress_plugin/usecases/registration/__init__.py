"""The plugin registered in the clients of this machine; begin at `register` and `registrars`."""
