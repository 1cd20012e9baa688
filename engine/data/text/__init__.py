"""Tables as text: encoding, form, records."""
