-- A cause of alerts that a person has seen, and what of it they saw.
CREATE TABLE `alert_quiets` (
	`cause` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user` integer NOT NULL,
	`at` integer NOT NULL,
	`until` integer,
	`count` integer NOT NULL,
	`newest` integer
);
