import type { VariableMembers } from './header-variables.ts'

/** The folder that a path of the table is relative to. */
export type Base = 'home' | 'config' | 'project'

/** A configuration file of a client. */
export interface ClientPlace {
  /** `config` is `~/.config` on Linux and `~/Library/Application Support` on macOS. */
  readonly base: Base
  readonly path: string
  readonly format: 'json' | 'toml'
  /** The key paths to the servers; `*` is any key. */
  readonly servers: readonly (readonly string[])[]
}

/** How a client writes one server entry. */
export interface ClientShape {
  /** Keys of a server's URL, most common first. */
  readonly url: readonly string[]
  readonly headers: string
  readonly env: string
  /** `words`: the command line is a single list. */
  readonly command: 'program' | 'words'
  /** The value of `type` for a command; null for a client without `type`. */
  readonly stdio: string | null
  /** The value of `type` for a URL. */
  readonly http: string
  /** Values of `type` for either HTTP transport; the proxy finds out which. */
  readonly httpTypes: readonly string[]
  /** How it takes headers from its own environment; null when it cannot, or does not pass variables on to programs. */
  readonly variables: VariableMembers | null
}

export interface Client {
  readonly id: string
  readonly name: string
  readonly places: readonly ClientPlace[]
  readonly shape: ClientShape
}

const FREQUENT_NAMES: ClientShape = {
  url: ['url'],
  headers: 'headers',
  env: 'env',
  command: 'program',
  stdio: 'stdio',
  http: 'http',
  httpTypes: ['http', 'streamable-http', 'streamableHttp', 'sse', 'SSE'],
  variables: null,
}

const json = (base: Base, path: string, ...servers: readonly (readonly string[])[]): ClientPlace => ({
  base,
  path,
  format: 'json',
  servers: servers.length === 0 ? [['mcpServers']] : servers,
})
const toml = (base: Base, path: string, ...servers: readonly (readonly string[])[]): ClientPlace => ({
  base,
  path,
  format: 'toml',
  servers,
})

const codePlaces = (folder: string): readonly ClientPlace[] => [
  json('config', `${folder}/User/mcp.json`, ['servers']),
  json('config', `${folder}/User/settings.json`, ['mcp', 'servers']),
]
const GEMINI: ClientShape = { ...FREQUENT_NAMES, url: ['httpUrl', 'url'], stdio: null }

/** Every client that `countersign mcp wrap` knows. To add one, add a row. */
export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    places: [json('config', 'Claude/claude_desktop_config.json')],
    shape: FREQUENT_NAMES,
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    places: [
      json('home', '.claude.json', ['mcpServers'], ['projects', '*', 'mcpServers']),
      json('project', '.mcp.json'),
    ],
    shape: FREQUENT_NAMES,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    places: [json('home', '.cursor/mcp.json'), json('project', '.cursor/mcp.json')],
    shape: FREQUENT_NAMES,
  },
  {
    id: 'vscode',
    name: 'VS Code',
    places: [
      ...codePlaces('Code'),
      ...codePlaces('Code - Insiders'),
      ...codePlaces('VSCodium'),
      json('project', '.vscode/mcp.json', ['servers']),
      json('project', '.vscode/settings.json', ['mcp', 'servers']),
    ],
    shape: FREQUENT_NAMES,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    places: [json('home', '.gemini/settings.json'), json('project', '.gemini/settings.json')],
    shape: GEMINI,
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    places: [json('home', '.qwen/settings.json'), json('project', '.qwen/settings.json')],
    shape: GEMINI,
  },
  {
    id: 'codex',
    name: 'Codex',
    places: [
      toml('home', '.codex/config.toml', ['mcp_servers']),
      toml('project', '.codex/config.toml', ['mcp_servers']),
    ],
    shape: {
      ...FREQUENT_NAMES,
      headers: 'http_headers',
      stdio: null,
      variables: { bearer: 'bearer_token_env_var', headers: 'env_http_headers', passedOn: 'env_vars' },
    },
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    places: [json('home', '.codeium/windsurf/mcp_config.json')],
    shape: { ...FREQUENT_NAMES, url: ['serverUrl', 'url'], stdio: null },
  },
  {
    id: 'zed',
    name: 'Zed',
    places: [
      json('home', '.config/zed/settings.json', ['context_servers']),
      json('project', '.zed/settings.json', ['context_servers']),
    ],
    shape: { ...FREQUENT_NAMES, stdio: null },
  },
  {
    id: 'cline',
    name: 'Cline',
    places: [
      json('config', 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
      json('home', '.cline/data/settings/cline_mcp_settings.json'),
    ],
    shape: { ...FREQUENT_NAMES, http: 'streamableHttp' },
  },
  {
    id: 'roo',
    name: 'Roo Code',
    places: [
      json('config', 'Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'),
      json('project', '.roo/mcp.json'),
    ],
    shape: { ...FREQUENT_NAMES, http: 'streamable-http' },
  },
  {
    id: 'opencode',
    name: 'opencode',
    places: [
      json('home', '.config/opencode/opencode.json', ['mcp']),
      json('home', '.config/opencode/opencode.jsonc', ['mcp']),
      json('project', 'opencode.json', ['mcp']),
      json('project', 'opencode.jsonc', ['mcp']),
    ],
    shape: {
      ...FREQUENT_NAMES,
      env: 'environment',
      command: 'words',
      stdio: 'local',
      http: 'remote',
      httpTypes: ['remote'],
    },
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    places: [json('home', '.copilot/mcp-config.json')],
    shape: { ...FREQUENT_NAMES, stdio: 'local' },
  },
  {
    id: 'kiro',
    name: 'Kiro',
    places: [json('home', '.kiro/settings/mcp.json'), json('project', '.kiro/settings/mcp.json')],
    shape: { ...FREQUENT_NAMES, stdio: null },
  },
  { id: 'lmstudio', name: 'LM Studio', places: [json('home', '.lmstudio/mcp.json')], shape: { ...FREQUENT_NAMES } },
]

/** Finds a client by its id. */
export function findClient(id: string): Client | undefined {
  return CLIENTS.find((client) => client.id === id)
}
