-- The values of a recipient's columns, as JSON; NULL = none. Forgotten with the number.
ALTER TABLE `deliveries` ADD `fields` text;
