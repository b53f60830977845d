"""The start of a session whose ready context is missing or out of date."""
