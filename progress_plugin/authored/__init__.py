"""Agents' own logs; begin at `authored.reader` (`read_log`)."""
