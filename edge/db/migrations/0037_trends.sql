-- Outcomes by client and hour, as account_hours has them by account.
CREATE TABLE `client_hours` (
	`hour` integer NOT NULL,
	`client` integer NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`unknown` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`hour`, `client`)
);
--> statement-breakpoint
-- Sums by ended day, which stay when the hours are dropped.
CREATE TABLE `account_trends` (
	`day` integer NOT NULL,
	`account` integer NOT NULL,
	`sent` integer NOT NULL,
	`failed` integer NOT NULL,
	`unknown` integer NOT NULL,
	PRIMARY KEY(`day`, `account`)
);
--> statement-breakpoint
CREATE TABLE `client_trends` (
	`day` integer NOT NULL,
	`client` integer NOT NULL,
	`sent` integer NOT NULL,
	`failed` integer NOT NULL,
	`unknown` integer NOT NULL,
	PRIMARY KEY(`day`, `client`)
);
