-- Rises with every change of what would be sent or when (db/rules/21_approval.sql): an approval is of one revision.
ALTER TABLE `campaigns` ADD `revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- When its client sent or planned it, or moved its plan; NULL = none of these. The order in which a day fills.
ALTER TABLE `campaigns` ADD `pressed_at` integer;--> statement-breakpoint
-- The day in Israel (yyyymmdd) that it counts for: of its send, or of its plan.
ALTER TABLE `campaigns` ADD `send_day` integer;--> statement-breakpoint
CREATE INDEX `campaigns_send_day` ON `campaigns` (`client`,`send_day`) WHERE send_day IS NOT NULL;--> statement-breakpoint
-- What administrators were asked about a revision of a campaign, and what they decided.
CREATE TABLE `approvals` (
	`campaign` integer NOT NULL,
	`revision` integer NOT NULL,
	`state` text NOT NULL,
	`asked_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` integer,
	`reason` text,
	PRIMARY KEY(`campaign`, `revision`)
);
--> statement-breakpoint
CREATE INDEX `approvals_asked` ON `approvals` (`asked_at`) WHERE state = 'asked';
