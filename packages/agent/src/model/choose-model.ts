import { CountersignError } from '@countersign/core'
import type { SdkModel } from './ai-sdk-model.ts'
import { MODEL_KEYS } from './api-keys.ts'
import type { Model } from './model.ts'

/** The model choice, from flags and environment. */
export interface ModelChoice {
  /** `provider/name`; `COUNTERSIGN_MODEL` when absent. */
  readonly model?: string
  readonly env: Readonly<Record<string, string | undefined>>
}

interface Provider {
  readonly key: string
  /** When set, no key is needed. */
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
 * Opens the chosen model. A name without a known provider belongs to `OPENAI_BASE_URL`, any server with OpenAI’s chat
 * completions API.
 */
export async function chooseModel({ model, env }: ModelChoice): Promise<Model> {
  const chosen = model ?? setting(env, 'COUNTERSIGN_MODEL')
  if (chosen === undefined || chosen === '') throw new CountersignError('CS_MODEL', `no model chosen; name one, ${HOW}`)
  const [first = '', ...rest] = chosen.split('/')
  const named = PROVIDERS.get(first)
  const ownEndpoint = PROVIDERS.get('openai')
  const isOwn = named === undefined && setting(env, 'OPENAI_BASE_URL') !== undefined
  const provider = isOwn ? ownEndpoint : named
  const name = isOwn ? chosen : rest.join('/')
  if (provider === undefined || name === '')
    throw new CountersignError('CS_MODEL', `\`${chosen.slice(0, 100)}\` is not a provider and model; use ${HOW}`)
  const key = setting(env, provider.key)
  const baseUrl = setting(env, provider.baseUrl)
  if (key === undefined && baseUrl === undefined)
    throw new CountersignError(
      'CS_MODEL',
      `\`${chosen.slice(0, 100)}\` needs a key; set ${provider.key}, or ${provider.baseUrl} for your own endpoint`,
    )
  if (baseUrl !== undefined && !isHttp(baseUrl))
    throw new CountersignError('CS_MODEL', `${provider.baseUrl} is not a URL; use http://host:port/v1`)
  const { aiSdkModel } = await import('./ai-sdk-model.ts')
  return aiSdkModel(chosen, await provider.open(name, key, baseUrl))
}

/** An empty variable counts as unset. */
function setting(env: ModelChoice['env'], name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}
