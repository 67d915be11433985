import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

describe('the modules a command loads', () => {
  it('include the service, with its web framework, only for `serve`', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    const loading = files.filter(
      (file) =>
        /(?<!\.test)\.ts$/.test(file) &&
        readFileSync(join(import.meta.dirname, file), 'utf8').includes("from '@countersign/server'"),
    )
    expect(loading).toEqual([join('serve', 'serve.ts')])
  })
})
