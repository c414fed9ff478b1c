"""Sharded runs: tables that outgrow memory."""
