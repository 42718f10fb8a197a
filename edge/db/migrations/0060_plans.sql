-- When the plan of a campaign starts it; kept after the start. NULL = it was sent by hand, or is not sent.
ALTER TABLE `campaigns` ADD `planned_at` integer;--> statement-breakpoint
-- Why the plan waits for a person (PLAN_HOLDS of shared/campaign.ts); NULL = it starts by itself.
ALTER TABLE `campaigns` ADD `plan_hold` text;--> statement-breakpoint
CREATE INDEX `campaigns_planned` ON `campaigns` (`planned_at`) WHERE status = 'scheduled';
