-- People's numbers: erased everywhere when they ask for it. A certificate keeps a keyed mark, never the number, but for
-- as long as rows of it are still with a site.
CREATE TABLE `erasures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`user` integer NOT NULL,
	`reason` text NOT NULL,
	`mark` text NOT NULL,
	`nonce` text NOT NULL,
	`hash` text NOT NULL,
	`blocked` integer NOT NULL,
	`phone` integer,
	`removed` text DEFAULT '{}' NOT NULL,
	`database_at` integer,
	`scrubbed_at` integer,
	`done_at` integer
);
--> statement-breakpoint
CREATE INDEX `erasures_open` ON `erasures` (`id`) WHERE done_at IS NULL;--> statement-breakpoint
CREATE TABLE `erasure_sites` (
	`erasure` integer NOT NULL,
	`site` integer NOT NULL,
	`answered_at` integer,
	`removed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`erasure`, `site`)
);
--> statement-breakpoint
CREATE INDEX `erasure_sites_open` ON `erasure_sites` (`site`) WHERE answered_at IS NULL;--> statement-breakpoint
-- Numbers that are not to be messaged again and that nobody here knows: the bucket is what an import looks at first.
CREATE TABLE `blocked_marks` (
	`mark` text PRIMARY KEY NOT NULL,
	`bucket` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
-- When a campaign's numbers were forgotten, at the end of their time.
ALTER TABLE `campaigns` ADD `forgotten_at` integer;--> statement-breakpoint
CREATE INDEX `campaigns_unforgotten` ON `campaigns` (`completed_at`) WHERE completed_at IS NOT NULL AND forgotten_at IS NULL;
