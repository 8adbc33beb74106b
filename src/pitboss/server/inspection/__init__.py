"""What a served floor checks about itself while it runs."""
