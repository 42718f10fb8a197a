-- Whether marketing waits for a rehearsal or a proven send of each phone. Sites that exist already go on without.
ALTER TABLE `sites` ADD `asks_rehearsal` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- What the site reports as tried with the phone; null = an older agent, which is never asked.
ALTER TABLE `devices` ADD `trial` text;
--> statement-breakpoint
-- When that report last changed.
ALTER TABLE `devices` ADD `trial_since` integer;
