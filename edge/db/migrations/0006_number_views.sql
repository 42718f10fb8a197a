-- An administrator sees the numbers of one campaign, in one session, for some minutes, once a reason was stated.
CREATE TABLE `number_views` (
	`session` text NOT NULL,
	`campaign` integer NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`session`, `campaign`)
);
