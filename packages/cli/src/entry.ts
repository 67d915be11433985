/** Runs the command from its sources, as the tests do: `node --conditions=source packages/cli/src/entry.ts`. */
import { main } from './main.ts'

await main()
