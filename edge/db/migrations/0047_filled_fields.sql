-- The import that gave values to a number that was there without any. When it is taken out, or fails, the row is as before.
ALTER TABLE `deliveries` ADD `fields_import` integer;
--> statement-breakpoint
CREATE INDEX `deliveries_fields_import` ON `deliveries` (`fields_import`) WHERE fields_import IS NOT NULL;
