import { openStandIn } from '@countersign/testing/fake-openai-server'
import { describe, expect, it } from 'vitest'
import { chooseModel } from './choose-model.ts'

describe('choosing a model', () => {
  it.each([
    [
      'nothing set',
      undefined,
      {},
      /no model chosen; name one, for example `--model anthropic\/NAME` with ANTHROPIC_API_KEY/,
    ],
    ['no provider', 'gpt', {}, /`gpt` is not a provider and model; use/],
    ['an unknown provider', 'acme/one', {}, /`acme\/one` is not a provider and model/],
    ['only a provider', 'openai/', { OPENAI_API_KEY: 'k' }, /is not a provider and model/],
    ['a missing key', 'anthropic/one', {}, /needs a key; set ANTHROPIC_API_KEY/],
    [
      'an empty key',
      'google/one',
      { GOOGLE_GENERATIVE_AI_API_KEY: ' ' },
      /needs a key; set GOOGLE_GENERATIVE_AI_API_KEY/,
    ],
    [
      'another provider’s key',
      'openai/one',
      { ANTHROPIC_API_KEY: 'k' },
      /needs a key; set OPENAI_API_KEY, or OPENAI_BASE_URL/,
    ],
    ['a missing URL', 'openai/one', { OPENAI_BASE_URL: 'file:///etc' }, /OPENAI_BASE_URL is not a URL/],
  ])('says what to set (%s)', async (_, model, env, words) => {
    const choice = { env, ...(model === undefined ? {} : { model }) }
    await expect(chooseModel(choice)).rejects.toMatchObject({ code: 'CS_MODEL', message: expect.stringMatching(words) })
  })

  it.each([
    ['openai/one', { OPENAI_API_KEY: 'k' }],
    ['anthropic/one', { ANTHROPIC_API_KEY: 'k' }],
    ['google/one', { GOOGLE_GENERATIVE_AI_API_KEY: 'k' }],
    ['meta/llama/3', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }],
  ])('opens %s', async (model, env) => {
    expect((await chooseModel({ model, env })).name).toBe(model)
  })

  it('takes the name from the flag, or else from the environment', async () => {
    const env = { OPENAI_API_KEY: 'k', COUNTERSIGN_MODEL: 'openai/two' }
    expect((await chooseModel({ env })).name).toBe('openai/two')
    expect((await chooseModel({ env, model: 'openai/one' })).name).toBe('openai/one')
  })

  it('sends the key and the bare model name to the endpoint', async () => {
    const standIn = await openStandIn([{ text: 'Hello.' }, { text: 'Hello.' }])
    const env = { OPENAI_BASE_URL: standIn.url, OPENAI_API_KEY: 'k-1' }
    for (const model of ['openai/one', 'meta/llama']) {
      const chosen = await chooseModel({ model, env })
      const input = { system: 'be', messages: [{ role: 'person' as const, text: 'hi' }], tools: [] }
      for await (const part of chosen.turn(input, new AbortController().signal)) expect(part.kind).not.toBe('failed')
    }
    await standIn.close()
    expect(standIn.requests.map(({ authorization, body }) => [authorization, body.model])).toEqual([
      ['Bearer k-1', 'one'],
      ['Bearer k-1', 'meta/llama'],
    ])
  })
})
