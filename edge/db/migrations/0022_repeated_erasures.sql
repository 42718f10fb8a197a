-- Erasures that a restored database took over from the database before it. Their numbers are looked for again, and
-- nothing is leased before that.
ALTER TABLE `erasures` ADD `to_repeat` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `erasures_to_repeat` ON `erasures` (`id`) WHERE to_repeat = 1;
