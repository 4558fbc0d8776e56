//! The providers of models: names, default addresses and key pages. Their API formats are in
//! [`crate::providers`].

use serde::{Deserialize, Serialize};

/// A provider of models. Ids are stored and therefore part of the data format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// OpenAI, Chat Completions API.
    OpenAi,
    /// OpenAI, Responses API.
    #[serde(rename = "openai_responses")]
    OpenAiResponses,
    /// Anthropic, Messages API.
    Anthropic,
    /// Google Gemini, generateContent API.
    Gemini,
    OpenRouter,
    Mistral,
    Groq,
    DeepSeek,
    Xai,
    Together,
    Cerebras,
    /// Cohere, by its OpenAI-compatible address.
    Cohere,
    Fireworks,
    Perplexity,
    Moonshot,
    /// Alibaba Cloud Model Studio.
    Alibaba,
    /// Z.ai.
    Zai,
    DeepInfra,
    /// Hugging Face's router.
    HuggingFace,
    MiniMax,
    /// An Azure OpenAI resource, at its own address.
    Azure,
    /// A project on Google Cloud Vertex AI, at its own address.
    Vertex,
    /// A region of Amazon Bedrock, or a gateway to it, at its own address.
    Bedrock,
    /// Ollama on this machine, by its native API.
    Ollama,
    /// LM Studio on this machine.
    LmStudio,
    /// The llama.cpp server on this machine.
    LlamaCpp,
    /// A vLLM server.
    Vllm,
    /// Any other server with the Chat Completions API.
    Compatible,
}

struct Profile {
    provider: Provider,
    id: &'static str,
    name: &'static str,
    base_url: &'static str,
    key_page: &'static str,
}

const fn profile(
    provider: Provider,
    id: &'static str,
    name: &'static str,
    base_url: &'static str,
    key_page: &'static str,
) -> Profile {
    Profile {
        provider,
        id,
        name,
        base_url,
        key_page,
    }
}

/// In the order of the enum.
#[rustfmt::skip]
const PROFILES: &[Profile] = &[
    profile(Provider::OpenAi, "openai", "OpenAI", "https://api.openai.com/v1", "platform.openai.com/api-keys"),
    profile(Provider::OpenAiResponses, "openai_responses", "OpenAI", "https://api.openai.com/v1", "platform.openai.com/api-keys"),
    profile(Provider::Anthropic, "anthropic", "Anthropic", "https://api.anthropic.com/v1", "console.anthropic.com/settings/keys"),
    profile(Provider::Gemini, "gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta", "aistudio.google.com/apikey"),
    profile(Provider::OpenRouter, "openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "openrouter.ai/keys"),
    profile(Provider::Mistral, "mistral", "Mistral", "https://api.mistral.ai/v1", "console.mistral.ai/api-keys"),
    profile(Provider::Groq, "groq", "Groq", "https://api.groq.com/openai/v1", "console.groq.com/keys"),
    profile(Provider::DeepSeek, "deepseek", "DeepSeek", "https://api.deepseek.com", "platform.deepseek.com/api_keys"),
    profile(Provider::Xai, "xai", "xAI", "https://api.x.ai/v1", "console.x.ai"),
    profile(Provider::Together, "together", "Together", "https://api.together.xyz/v1", "api.together.ai/settings/api-keys"),
    profile(Provider::Cerebras, "cerebras", "Cerebras", "https://api.cerebras.ai/v1", "cloud.cerebras.ai"),
    profile(Provider::Cohere, "cohere", "Cohere", "https://api.cohere.ai/compatibility/v1", "dashboard.cohere.com/api-keys"),
    profile(Provider::Fireworks, "fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", "app.fireworks.ai/settings/users/api-keys"),
    profile(Provider::Perplexity, "perplexity", "Perplexity", "https://api.perplexity.ai", "perplexity.ai/settings/api"),
    profile(Provider::Moonshot, "moonshot", "Moonshot", "https://api.moonshot.ai/v1", "platform.moonshot.ai/console/api-keys"),
    profile(Provider::Alibaba, "alibaba", "Alibaba Cloud", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "modelstudio.console.alibabacloud.com"),
    profile(Provider::Zai, "zai", "Z.ai", "https://api.z.ai/api/paas/v4", "z.ai/manage-apikey/apikey-list"),
    profile(Provider::DeepInfra, "deepinfra", "DeepInfra", "https://api.deepinfra.com/v1/openai", "deepinfra.com/dash/api_keys"),
    profile(Provider::HuggingFace, "huggingface", "Hugging Face", "https://router.huggingface.co/v1", "huggingface.co/settings/tokens"),
    profile(Provider::MiniMax, "minimax", "MiniMax", "https://api.minimax.io/v1", "platform.minimax.io/user-center/basic-information/interface-key"),
    profile(Provider::Azure, "azure", "Azure OpenAI", "", "portal.azure.com"),
    profile(Provider::Vertex, "vertex", "Google Vertex AI", "", "console.cloud.google.com/vertex-ai"),
    profile(Provider::Bedrock, "bedrock", "Amazon Bedrock", "", "console.aws.amazon.com/bedrock/home#/api-keys"),
    profile(Provider::Ollama, "ollama", "Ollama", "http://127.0.0.1:11434", ""),
    profile(Provider::LmStudio, "lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", ""),
    profile(Provider::LlamaCpp, "llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1", ""),
    profile(Provider::Vllm, "vllm", "vLLM", "http://127.0.0.1:8000/v1", ""),
    profile(Provider::Compatible, "compatible", "", "", ""),
];

impl Provider {
    /// All providers with their ids.
    pub const ALL: [(&'static str, Self); PROFILES.len()] = {
        let mut all = [("", Self::Compatible); PROFILES.len()];
        let mut at = 0;
        while at < PROFILES.len() {
            all[at] = (PROFILES[at].id, PROFILES[at].provider);
            at += 1;
        }
        all
    };

    /// Returns the first provider whose default address has this origin, as browsers write it. Servers on
    /// this machine are recognized by port. All others are `Compatible`.
    #[must_use]
    pub fn by_origin(origin: &str) -> Self {
        const LOOPBACK: &str = "http://127.0.0.1";
        let port = ["http://localhost", "http://[::1]", LOOPBACK]
            .iter()
            .find_map(|host| origin.strip_prefix(host));
        let has_origin = |profile: &&Profile| {
            let base = profile.base_url;
            let rest = match port {
                Some(port) => base
                    .strip_prefix(LOOPBACK)
                    .and_then(|rest| rest.strip_prefix(port)),
                None => base.strip_prefix(origin),
            };
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut profiles = PROFILES.iter().filter(|profile| !profile.base_url.is_empty());
        let found = profiles.find(has_origin);
        found.map_or(Self::Compatible, |profile| profile.provider)
    }

    /// Returns the stored name, e.g. `openai_responses`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.profile().id
    }

    /// Returns the display name; empty for `Compatible`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.profile().name
    }

    /// Returns the default address; empty if there is none.
    #[must_use]
    pub fn base_url(self) -> &'static str {
        self.profile().base_url
    }

    /// Returns the page for creating keys, without the scheme; empty if there is none.
    #[must_use]
    pub fn key_page(self) -> &'static str {
        self.profile().key_page
    }

    fn profile(self) -> &'static Profile {
        &PROFILES[self as usize]
    }
}

/// Reasoning effort. Its effect depends on the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    None,
    Minimal,
    Low,
    Medium,
    High,
    XHigh,
    Max,
}

impl Effort {
    /// All levels with their stored names.
    pub const ALL: [(&'static str, Self); 7] = [
        ("none", Self::None),
        ("minimal", Self::Minimal),
        ("low", Self::Low),
        ("medium", Self::Medium),
        ("high", Self::High),
        ("xhigh", Self::XHigh),
        ("max", Self::Max),
    ];

    /// Returns the stored name, e.g. `low`.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_ids_are_the_stored_names() {
        for (index, (id, provider)) in Provider::ALL.into_iter().enumerate() {
            assert_eq!(provider as usize, index, "{id}");
            assert_eq!(provider.id(), id);
            assert_eq!(serde_json::to_string(&provider).unwrap(), format!("\"{id}\""));
        }
        for (index, (name, effort)) in Effort::ALL.iter().enumerate() {
            assert_eq!(*effort as usize, index);
            assert_eq!(serde_json::to_string(effort).unwrap(), format!("\"{name}\""));
        }
    }

    #[test]
    fn origins_identify_providers() {
        for (origin, provider) in [
            ("https://api.openai.com", Provider::OpenAi),
            ("https://api.anthropic.com", Provider::Anthropic),
            ("https://generativelanguage.googleapis.com", Provider::Gemini),
            ("https://openrouter.ai", Provider::OpenRouter),
            ("https://api.x.ai", Provider::Xai),
            ("https://api.z.ai", Provider::Zai),
            ("https://router.huggingface.co", Provider::HuggingFace),
            ("http://localhost:11434", Provider::Ollama),
            ("http://[::1]:1234", Provider::LmStudio),
            ("http://127.0.0.1:8080", Provider::LlamaCpp),
            ("http://127.0.0.1:80", Provider::Compatible),
            ("http://127.0.0.1", Provider::Compatible),
            ("http://127.0.0.1:8000", Provider::Vllm),
            ("http://192.168.0.2:11434", Provider::Compatible),
            ("https://api.openai.co", Provider::Compatible),
            ("https://api.openai.com.example", Provider::Compatible),
            ("", Provider::Compatible),
        ] {
            assert_eq!(Provider::by_origin(origin), provider, "{origin}");
        }
    }
}
