-- An import that is the copying of a campaign: where it dies, the half copy goes with it.
ALTER TABLE `imports` ADD `makes_campaign` integer DEFAULT 0 NOT NULL;
