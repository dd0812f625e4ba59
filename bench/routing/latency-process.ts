import { dataFolder, loadSets } from './data.ts';
import { measure } from './latency.ts';

// Measures so many capabilities, and prints it as JSON.

const folder = dataFolder();
if (folder !== undefined) {
  console.log(JSON.stringify(measure(loadSets(folder), Number(process.argv[2]))));
}
