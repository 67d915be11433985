/** Runs the command from its sources, as the tests do: `node --conditions=countersign-source packages/cli/src/entry.ts`. */
import './tsx-loader.ts'

const { main } = await import('./main.ts')
await main()
