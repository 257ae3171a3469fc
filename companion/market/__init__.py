"""The circle of patches from one picture: which patch lies where around the time board, and in which order."""

from companion.market.drawing import draw_market
from companion.market.piece import SeenPiece
from companion.market.seeing import MarketError, see_market, see_market_in_photo
from companion.market.seen import Doubt, SeenMarket

__all__ = ["Doubt", "MarketError", "SeenMarket", "SeenPiece", "draw_market", "see_market", "see_market_in_photo"]
