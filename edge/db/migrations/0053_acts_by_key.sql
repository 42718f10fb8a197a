-- The API key by which a row was written, for the audit log's entries that rules write; NULL = by a session.
ALTER TABLE `campaigns` ADD `edited_by_key` integer;
--> statement-breakpoint
ALTER TABLE `imports` ADD `by_key` integer;
--> statement-breakpoint
ALTER TABLE `quota_ledger` ADD `by_key` integer;
