-- The last message about a cause on each way out of the browser: written before it is sent.
CREATE TABLE `alert_messages` (
	`cause` text NOT NULL,
	`channel` text NOT NULL,
	`claimed_at` integer NOT NULL,
	`tried_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`status` integer,
	`next_at` integer,
	`count` integer NOT NULL,
	`newest` integer,
	`gone` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`cause`, `channel`)
);
--> statement-breakpoint
-- Which kinds of alert go out, where a person chose otherwise than the kind's default.
CREATE TABLE `alert_choices` (
	`code` text PRIMARY KEY NOT NULL,
	`email` integer NOT NULL,
	`webhook` integer NOT NULL
);
