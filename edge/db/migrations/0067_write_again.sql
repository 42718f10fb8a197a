-- The campaign whose recipients this one writes to again.
ALTER TABLE `campaigns` ADD `again_of` integer;
--> statement-breakpoint
CREATE INDEX `campaigns_again` ON `campaigns` (`again_of`) WHERE again_of IS NOT NULL;
--> statement-breakpoint
-- The first delivery to the same person for the same message, of which this one is a repetition.
ALTER TABLE `deliveries` ADD `origin` integer;
--> statement-breakpoint
CREATE INDEX `deliveries_origin` ON `deliveries` (`origin`) WHERE origin IS NOT NULL;
--> statement-breakpoint
-- Kept until somebody declares the consent.
ALTER TABLE `unconsented` ADD `origin` integer;
