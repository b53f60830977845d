"""Text of other programs and persons: read, redacted and made safe to show."""
