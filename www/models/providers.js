// The providers, as in src/seat/provider.rs (a test compares both).

const cloud = (id, name, baseUrl, keyPage) => ({ id, name, baseUrl, keyPage, local: false });
const local = (id, name, baseUrl) => ({ id, name, baseUrl, keyPage: "", local: true });

export const PROVIDERS = [
  cloud("openai", "OpenAI", "https://api.openai.com/v1", "platform.openai.com/api-keys"),
  cloud("openai_responses", "OpenAI", "https://api.openai.com/v1", "platform.openai.com/api-keys"),
  cloud("anthropic", "Anthropic", "https://api.anthropic.com/v1", "console.anthropic.com/settings/keys"),
  cloud("gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta", "aistudio.google.com/apikey"),
  cloud("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "openrouter.ai/keys"),
  cloud("mistral", "Mistral", "https://api.mistral.ai/v1", "console.mistral.ai/api-keys"),
  cloud("groq", "Groq", "https://api.groq.com/openai/v1", "console.groq.com/keys"),
  cloud("deepseek", "DeepSeek", "https://api.deepseek.com", "platform.deepseek.com/api_keys"),
  cloud("xai", "xAI", "https://api.x.ai/v1", "console.x.ai"),
  cloud("together", "Together", "https://api.together.xyz/v1", "api.together.ai/settings/api-keys"),
  cloud("cerebras", "Cerebras", "https://api.cerebras.ai/v1", "cloud.cerebras.ai"),
  cloud("cohere", "Cohere", "https://api.cohere.ai/compatibility/v1", "dashboard.cohere.com/api-keys"),
  cloud("fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", "app.fireworks.ai/settings/users/api-keys"),
  cloud("perplexity", "Perplexity", "https://api.perplexity.ai", "perplexity.ai/settings/api"),
  cloud("moonshot", "Moonshot", "https://api.moonshot.ai/v1", "platform.moonshot.ai/console/api-keys"),
  cloud("alibaba", "Alibaba Cloud", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    "modelstudio.console.alibabacloud.com"),
  cloud("zai", "Z.ai", "https://api.z.ai/api/paas/v4", "z.ai/manage-apikey/apikey-list"),
  cloud("deepinfra", "DeepInfra", "https://api.deepinfra.com/v1/openai", "deepinfra.com/dash/api_keys"),
  cloud("huggingface", "Hugging Face", "https://router.huggingface.co/v1", "huggingface.co/settings/tokens"),
  cloud("minimax", "MiniMax", "https://api.minimax.io/v1",
    "platform.minimax.io/user-center/basic-information/interface-key"),
  cloud("azure", "Azure OpenAI", "", "portal.azure.com"),
  cloud("vertex", "Google Vertex AI", "", "console.cloud.google.com/vertex-ai"),
  cloud("bedrock", "Amazon Bedrock", "", "console.aws.amazon.com/bedrock/home#/api-keys"),
  local("ollama", "Ollama", "http://127.0.0.1:11434"),
  local("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
  local("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1"),
  local("vllm", "vLLM", "http://127.0.0.1:8000/v1"),
  cloud("compatible", "", "", ""),
];

export const provider = (id) => PROVIDERS.find((one) => one.id === id) ?? null;

/** The provider whose default address has this origin, or null. */
export const providerAt = (origin) =>
  PROVIDERS.find(({ baseUrl }) =>
    baseUrl && new URL(baseUrl).origin === origin.replace(/^http:\/\/localhost(?=:|$)/, "http://127.0.0.1")
  ) ?? null;

/** Models not meant for conversation, by name. */
const SPECIAL =
  /embed|guard|moderat|whisper|audio|realtime|tts|transcri|speech|image|dall-e|rerank|ocr|davinci|babbage/i;

/** The model for a first try: the first that the catalogue prefers, else the first for conversation. */
export function firstModel(preferred, models) {
  const offered = new Set(models.map(({ id }) => id));
  return preferred.find((id) => offered.has(id)) ?? models.find(({ id }) => !SPECIAL.test(id))?.id ?? "";
}
