-- Each site is asked under a key of its own: two sites cannot search numbers by what each other's frame says.
ALTER TABLE `erasure_sites` ADD `hash` text;
