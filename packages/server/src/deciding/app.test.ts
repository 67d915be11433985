import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it } from 'vitest'
import { openApiFile } from '../../../../scripts/generate-openapi.ts'

const COMMITTED = fileURLToPath(new URL('../../openapi.json', import.meta.url))

describe('the OpenAPI document', () => {
  it('is committed as generated from the routes; `node --conditions=countersign-source scripts/generate-openapi.ts` writes it', () => {
    expect(readFileSync(COMMITTED, 'utf8')).toBe(openApiFile())
  })

  it('is served as committed', async () => {
    const { service } = await openServiceWorld()
    const answer = await fetch(`${service.url}/api/v1/openapi.json`)
    expect(await answer.json()).toEqual(JSON.parse(readFileSync(COMMITTED, 'utf8')))
  })
})
