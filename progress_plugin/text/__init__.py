"""What somebody wrote, read and made safe to show; begin at `text.safe_output` and `text.redact`."""
