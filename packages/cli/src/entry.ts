/** Runs the command from its sources, as the tests do: `node --conditions=countersign-source packages/cli/src/entry.ts`. */
import './jsx-sources.ts'

const { main } = await import('./main.ts')
await main()
