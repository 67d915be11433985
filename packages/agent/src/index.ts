/**
 * The agent loop, its models and its tools, without any interface. Written by hand: a symbol is here because somebody
 * outside needs it.
 * @module
 */
export { type Agent, type AgentParts, createAgent, systemPrompt } from './loop/agent.ts'
export type { AgentEvent } from './loop/event.ts'
export type { Stop } from './loop/stop-conditions.ts'
export { DEFAULT_GUARDS, type Guards } from './loop/stop-conditions.ts'
export type { SubAgent } from './loop/sub-agent.ts'
export { keepTranscript, type Redactor, type Transcript, type TranscriptStep } from './loop/transcript.ts'
export { type McpServer, type McpServers, readMcpConfig } from './mcp/config.ts'
export { type McpTools, openMcpTools } from './mcp/mcp-tools.ts'
export { aiSdkModel, type SdkModel } from './model/ai-sdk-model.ts'
export { chooseModel, type ModelChoice } from './model/choose-model.ts'
export type { AskedCall, CallResult, Message, Model, ModelFailed, ModelPart, Tokens, ToolOffer } from './model/model.ts'
export { readScript, type Script, type ScriptTurn } from './model/script.ts'
export { type ScriptPlay, scriptedModel } from './model/scripted-model.ts'
export type { TaskCall, TaskOutcome, TaskReport } from './task/report.ts'
export { writeArtefacts } from './task/report-files.ts'
export { runTask, type TaskRan, type TaskRun } from './task/run-task.ts'
export type { Task, TaskLimits } from './task/task.ts'
export { readTask } from './task/task-file.ts'
export { BUILTIN_TOOLS } from './tools/builtin-tools.ts'
export type { AgentTool, ToolRun } from './tools/definition/agent-tool.ts'
