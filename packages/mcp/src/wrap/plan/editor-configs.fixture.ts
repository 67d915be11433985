import { type ConfigFixture, SECRET } from './config.fixture.ts'

/** Configurations of editors and their extensions. */
export const EDITOR_CONFIGS: readonly ConfigFixture[] = [
  {
    client: 'windsurf',
    path: '.codeium/windsurf/mcp_config.json',
    text: `{
  "mcpServers": {
    "figma": { "serverUrl": "https://figma.example/mcp", "headers": {} },
    "memory": { "command": "npx", "args": ["-y", "server-memory"], "disabled": true },
    "slack": { "command": "npx", "args": ["-y", "server-slack", "--token", "${SECRET}"], "disabled": false }
  }
}
`,
    wrapped: {
      figma: 'https://figma.example/mcp',
      memory: 'npx -y server-memory',
      slack: `npx -y server-slack --token ${SECRET}`,
    },
    left: {},
  },
  {
    client: 'zed',
    path: '.config/zed/settings.json',
    text: `// Zed settings
{
  "ui_font_size": 16,
  "context_servers": {
    "local": { "source": "custom", "command": "some-command", "args": ["a"], "env": {} },
    "ext": { "source": "extension", "settings": {} },
    "older": { "command": { "path": "x", "args": [] } },
  },
  // the end
}
`,
    wrapped: { local: 'some-command a' },
    left: { ext: 'neither', older: 'form' },
  },
  {
    client: 'cline',
    path: '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    text: `{
  "mcpServers": {
    "linear": {
      "type": "streamableHttp",
      "url": "https://linear.example/mcp",
      "disabled": false,
      "autoApprove": []
    },
    "weather": {
      "autoApprove": ["get_weather"],
      "disabled": false,
      "timeout": 60,
      "command": "node",
      "args": ["/opt/weather.js"],
      "env": { "KEY": "k" },
      "transportType": "stdio"
    }
  }
}`,
    wrapped: { linear: 'https://linear.example/mcp', weather: 'node /opt/weather.js' },
    left: {},
  },
  {
    client: 'cursor',
    path: 'project/.cursor/mcp.json',
    text: '{\r\n  "mcpServers": {\r\n    "long": {\r\n      "command": "npx",\r\n      "args": [\r\n        "-y",\r\n        "srv"\r\n      ]\r\n    },\r\n    "bare": {\r\n      "command": "bare"\r\n    },\r\n    "far": {\r\n      "url": "https://far.example/mcp"\r\n    }\r\n  }\r\n}\r\n',
    wrapped: { long: 'npx -y srv', bare: 'bare', far: 'https://far.example/mcp' },
    left: {},
  },
  {
    client: 'roo',
    path: '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    text: `{
  "mcpServers": {
    "search": {
      "type": "streamable-http",
      "url": "https://search.example/mcp?apiKey=${SECRET}",
      "headers": { "X-Team": "a" },
      "alwaysAllow": ["find"]
    },
    "events": { "url": "https://old.example/sse", "disabled": false },
    "local": { "command": "node", "args": ["./server.js"], "watchPaths": ["./server.js"], "timeout": 60 }
  }
}
`,
    wrapped: {
      search: `https://search.example/mcp?apiKey=${SECRET}`,
      events: 'https://old.example/sse',
      local: 'node ./server.js',
    },
    left: {},
  },
  {
    client: 'kiro',
    path: '.kiro/settings/mcp.json',
    text: `{
  "mcpServers": {
    "hooks": { "url": "https://hooks.example/api/mcp/s/${SECRET}/mcp" },
    "aws": {
      "command": "uvx",
      "args": ["awslabs.core-mcp-server@latest"],
      "env": { "FASTMCP_LOG_LEVEL": "ERROR" },
      "disabled": false,
      "autoApprove": []
    },
    "named": { "url": "https://me:${SECRET}@named.example/mcp" }
  }
}
`,
    wrapped: {
      hooks: `https://hooks.example/api/mcp/s/${SECRET}/mcp`,
      aws: 'uvx awslabs.core-mcp-server@latest',
    },
    left: { named: 'password' },
  },
]
