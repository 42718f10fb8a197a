-- A repeat: words and a choice of lists, sent on its days. Each run is a campaign of its own.
CREATE TABLE `series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`name` text NOT NULL,
	`message` text NOT NULL,
	`kind` text NOT NULL,
	`image` text,
	`day_limit` integer,
	`leave_out_empty` integer DEFAULT 0 NOT NULL,
	`choice` text NOT NULL,
	`rule` text NOT NULL,
	`minutes` integer NOT NULL,
	`last_day` text,
	`next_day` text,
	`next_at` integer,
	`hold` text,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `series_client` ON `series` (`client`,`id`);
--> statement-breakpoint
CREATE INDEX `series_next` ON `series` (`next_at`) WHERE hold IS NULL AND ended_at IS NULL;
--> statement-breakpoint
-- One row a day of Israel (yyyy-mm-dd) on which a run was due.
CREATE TABLE `series_runs` (
	`series` integer NOT NULL,
	`day` text NOT NULL,
	`run_at` integer NOT NULL,
	`state` text NOT NULL,
	`campaign` integer,
	`error` text,
	`claimed_until` integer NOT NULL,
	PRIMARY KEY(`series`, `day`)
);
--> statement-breakpoint
CREATE INDEX `series_runs_making` ON `series_runs` (`claimed_until`) WHERE state = 'making';
