"""The road of a table from its records to a verified release, also in parts."""
