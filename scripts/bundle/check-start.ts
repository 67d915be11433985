import type { RolldownOutput } from 'rolldown'

/** Subcommands that people and hooks wait for. */
const QUICK = /\/packages\/cli\/src\/(?:exec\/exec|held\/held|main|policy\/policy|risk\/risk)\.ts$/

/** Packages that take longer to load than the rest of a start. They may be loaded on first use. */
const SLOW = /\/node_modules\/(zod|yaml|re2js|react|ink|pg)\//

/** Throws if a quick subcommand loads a slow package at its start: a new `import` is enough for that. */
export function checkStart(output: RolldownOutput['output']): void {
  const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])))
  const quick = [...chunks.values()].filter(({ moduleIds }) => moduleIds.some((id) => QUICK.test(id)))
  if (quick.length < 5) throw new Error("can't bundle: the subcommands that must start quickly have moved")
  for (const { fileName } of quick) {
    const waiting = [fileName]
    const seen = new Set<string>()
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name)) continue
      seen.add(name)
      const chunk = chunks.get(name)
      const slow = chunk?.moduleIds.find((id) => SLOW.test(id))
      if (slow !== undefined)
        throw new Error(`can't bundle: ${fileName} loads ${slow} at its start, in ${name}; see lazy-modules.ts`)
      waiting.push(...(chunk?.imports ?? []))
    }
  }
}
