import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it.each(['20.20.2', '22.17.9'])('reports in one line that Node %s is too old', (version) => {
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
    await import('@countersign/node').catch((error) => console.log(String(error.stack)))`
  const { stdout } = spawnSync(
    process.execPath,
    ['--conditions=countersign-source', '--input-type=module', '--eval', script],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  )
  expect(stdout).toBe(`Error: @countersign/node needs Node 22.18 or newer and this is ${version}; install Node 24\n`)
})
