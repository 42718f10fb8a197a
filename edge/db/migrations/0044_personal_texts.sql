-- The parts of a personal message, fixed at its send, as a JSON array: words, and {field, fallback} for the values of
-- each recipient; NULL = every recipient gets the same text.
ALTER TABLE `campaigns` ADD `sent_parts` text;
--> statement-breakpoint
-- The names of its fields without a fallback, as a JSON array: a recipient without one of them gets no message. NULL = none.
ALTER TABLE `campaigns` ADD `required_fields` text;
--> statement-breakpoint
-- Whether the site's agent takes a lease with a text for each recipient, as its last hello says.
ALTER TABLE `sites` ADD `item_texts` integer DEFAULT 0 NOT NULL;
