/**
 * A light stem of an English word: plural, -ing and -ed go, a doubled consonant and a silent e
 * after them too. Wrong stems do little harm, for query and index err alike; other scripts and
 * words with digits are left as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stemmed = singular(word);
  if (stemmed.length > 5 && stemmed.endsWith('ing')) stemmed = stemmed.slice(0, -3);
  else if (stemmed.length > 4 && stemmed.endsWith('ed')) stemmed = stemmed.slice(0, -2);
  if (stemmed.length > 3 && /([bdfgklmnprt])\1$/.test(stemmed)) stemmed = stemmed.slice(0, -1);
  return stemmed.length > 4 && stemmed.endsWith('e') ? stemmed.slice(0, -1) : stemmed;
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}
