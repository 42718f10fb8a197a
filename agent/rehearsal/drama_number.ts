/**
 * A number that belongs to nobody. Ofcom, the numbering authority of the United Kingdom, keeps 07700 900000 to 900999
 * for television and radio drama, and allocates none of them ("Telephone numbers for use in TV and radio drama
 * programmes", ofcom.org.uk; the BBC on them: bbc.com/news/blogs-magazine-monitor-32348371).
 */
export const DRAMA_NUMBER = "+447700900123";
