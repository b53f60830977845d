"""What hooks load first."""
