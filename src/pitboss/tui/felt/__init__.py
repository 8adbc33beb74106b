"""The picture of the table: a canvas of characters, cards, boxes, colours and the widgets that show them."""
