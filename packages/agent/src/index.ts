/**
 * The agent loop, its models and its tools, without any interface. Written by hand: a symbol is here because somebody
 * outside needs it.
 * @module
 */
export { type Agent, type AgentParts, createAgent } from './agent.ts'
export type { AgentEvent } from './event.ts'
export { DEFAULT_GUARDS, type Guards } from './guards.ts'
export { type McpServer, type McpServers, readMcpConfig } from './mcp-tools/config.ts'
export { type McpTools, openMcpTools } from './mcp-tools.ts'
export { aiSdkModel, type SdkModel } from './model/ai-sdk-model.ts'
export { chooseModel, type ModelChoice } from './model/choose-model.ts'
export type { AskedCall, CallResult, Message, Model, ModelFailed, ModelPart, Tokens, ToolOffer } from './model/model.ts'
export { readScript, type Script, type ScriptTurn } from './model/script.ts'
export { type ScriptPlay, scriptedModel } from './model/scripted-model.ts'
export type { Stop } from './stop.ts'
export type { SubAgent } from './sub-agent.ts'
export { systemPrompt } from './system-prompt.ts'
export { writeArtefacts } from './task/artefacts.ts'
export type { TaskCall, TaskOutcome, TaskReport } from './task/report.ts'
export { runTask, type TaskRan, type TaskRun } from './task/run-task.ts'
export type { Task, TaskLimits } from './task/task.ts'
export { readTask } from './task/task-file.ts'
export type { AgentTool, ToolRun } from './tools/agent-tool.ts'
export { BUILTIN_TOOLS } from './tools/builtin-tools.ts'
export { keepTranscript, type Redactor, type Transcript, type TranscriptStep } from './transcript.ts'
