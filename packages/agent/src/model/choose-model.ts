import { CountersignError } from '@countersign/core'
import type { SdkModel } from './ai-sdk-model.ts'
import { MODEL_KEYS } from './api-keys.ts'
import type { Model } from './model.ts'

/** What the person chose, by flags and by environment. */
export interface ModelChoice {
  /** `provider/name`; `COUNTERSIGN_MODEL` when absent. */
  readonly model?: string
  readonly env: Readonly<Record<string, string | undefined>>
}

interface Provider {
  readonly key: string
  /** Set, it stands in for the key: an endpoint of one's own may need none. */
  readonly baseUrl: string
  open(name: string, key: string | undefined, baseURL: string | undefined): Promise<SdkModel>
}

const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  [
    'openai',
    {
      key: MODEL_KEYS.openai,
      baseUrl: 'OPENAI_BASE_URL',
      async open(name, apiKey, baseURL = 'https://api.openai.com/v1') {
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
        const key = apiKey === undefined ? {} : { apiKey }
        return createOpenAICompatible({ name: 'openai', baseURL, includeUsage: true, ...key })(name)
      },
    },
  ],
  [
    'anthropic',
    {
      key: MODEL_KEYS.anthropic,
      baseUrl: 'ANTHROPIC_BASE_URL',
      async open(name, apiKey, baseURL) {
        const { createAnthropic } = await import('@ai-sdk/anthropic')
        return createAnthropic({ apiKey: apiKey ?? 'none', ...(baseURL === undefined ? {} : { baseURL }) })(name)
      },
    },
  ],
  [
    'google',
    {
      key: MODEL_KEYS.google,
      baseUrl: 'GOOGLE_GENERATIVE_AI_BASE_URL',
      async open(name, apiKey, baseURL) {
        const { createGoogle } = await import('@ai-sdk/google')
        return createGoogle({ apiKey: apiKey ?? 'none', ...(baseURL === undefined ? {} : { baseURL }) })(name)
      },
    },
  ],
] satisfies [string, Provider][])

const HOW =
  'for example `--model anthropic/NAME` with ANTHROPIC_API_KEY, `google/NAME` with GOOGLE_GENERATIVE_AI_API_KEY, or `openai/NAME` with OPENAI_API_KEY or OPENAI_BASE_URL'

/**
 * The model a person chose. A name without a known provider belongs to the endpoint of `OPENAI_BASE_URL`, which is any
 * server that speaks OpenAI's chat completions.
 */
export async function chooseModel({ model, env }: ModelChoice): Promise<Model> {
  const chosen = model ?? setting(env, 'COUNTERSIGN_MODEL')
  if (chosen === undefined || chosen === '')
    throw new CountersignError('CS_MODEL', `no model is chosen; name one, ${HOW}`)
  const [first = '', ...rest] = chosen.split('/')
  const named = PROVIDERS.get(first)
  const ownEndpoint = PROVIDERS.get('openai')
  const isOwn = named === undefined && setting(env, 'OPENAI_BASE_URL') !== undefined
  const provider = isOwn ? ownEndpoint : named
  const name = isOwn ? chosen : rest.join('/')
  if (provider === undefined || name === '')
    throw new CountersignError(
      'CS_MODEL',
      `\`${chosen.slice(0, 100)}\` names no provider and model; write it as ${HOW}`,
    )
  const key = setting(env, provider.key)
  const baseUrl = setting(env, provider.baseUrl)
  if (key === undefined && baseUrl === undefined)
    throw new CountersignError(
      'CS_MODEL',
      `\`${chosen.slice(0, 100)}\` needs a key; set ${provider.key}, or ${provider.baseUrl} for an endpoint of your own`,
    )
  if (baseUrl !== undefined && !isHttp(baseUrl))
    throw new CountersignError('CS_MODEL', `${provider.baseUrl} is no address; write it as http://host:port/v1`)
  const { aiSdkModel } = await import('./ai-sdk-model.ts')
  return aiSdkModel(chosen, await provider.open(name, key, baseUrl))
}

/** An empty variable is an unset one. */
function setting(env: ModelChoice['env'], name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}
