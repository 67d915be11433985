/** Checks import directions and the house rules; prints each offence as file:line. */
import { join } from 'node:path'
import { checkCycles } from './architecture/cycles.ts'
import { checkDirections } from './architecture/directions.ts'
import { checkDependencies } from './architecture/documented-dependencies.ts'
import { checkHouseRules } from './architecture/house-rules.ts'
import { checkLazyModules } from './architecture/lazy-modules.ts'
import { sourceTree } from './architecture/source-tree.ts'

const root = join(import.meta.dirname, '..')
const files = sourceTree(root)
const offences = [
  ...checkDirections(files),
  ...checkCycles(files),
  ...checkHouseRules(files, root),
  ...checkDependencies(files),
  ...checkLazyModules(files),
]
for (const { path, line, message } of offences) console.log(`${path}:${line}: ${message}`)
if (offences.length > 0) process.exitCode = 1
