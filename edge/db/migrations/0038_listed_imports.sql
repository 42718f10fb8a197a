-- The list of a campaign's imports: the column that was read, and when the owner took the import out again.
ALTER TABLE `imports` ADD `column_no` integer;
--> statement-breakpoint
ALTER TABLE `imports` ADD `column_name` text;
--> statement-breakpoint
ALTER TABLE `imports` ADD `removed_at` integer;
--> statement-breakpoint
-- True while its contacts are being taken out, so that another edge can go on after a crash.
ALTER TABLE `imports` ADD `removing` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `imports_removing` ON `imports` (`updated_at`) WHERE removing;
